"""Which columns a view shows, from its stored rule."""

from emulator.rest.schema_cache.view_columns import read_view_columns


def test_only_the_outer_target_list_is_read() -> None:
    rule = (
        "({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :targetList ({TARGETENTRY :expr {VAR :x 1} "
        ":resno 9 :resname inner :resorigtbl 99 :resorigcol 9 :resjunk false})}}) :targetList ({TARGETENTRY :expr "
        "{VAR :varno 1} :resno 1 :resname a\\ \\{b :ressortgroupref 0 :resorigtbl 42 :resorigcol 3 :resjunk false} "
        "{TARGETENTRY :expr {FUNCEXPR :args ({VAR :x 1})} :resno 2 :resname n :resorigtbl 0 :resorigcol 0})"
        " :returningList <>})"
    )
    assert list(read_view_columns(rule)) == [(1, 42, 3)]
