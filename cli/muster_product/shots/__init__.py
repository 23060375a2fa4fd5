"""Pictures of every screen in every state: what there is, how a state is made, who takes it."""
