/** Needs nothing but the planner. */
module com.example.modular {
  requires dev.stowage.plan;
}
