"""SAML 2.0 as a service provider, over lxml and signxml. Only loaded where SAML_ENABLED is on and used.

bytes -parse-> tree -signature-> the part of it that was signed -check-> Assertion -mapping-> claims
"""
