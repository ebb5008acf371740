package dev.stowage.plan;

/**
 * The records that may share memory if tasks may run in an order other than that of their numbers.
 *
 * <p>Without a graph, records may share memory if their lifetimes have no task in common. With one,
 * the graph must permit it as well. Such a plan is valid in every order that the graph allows.
 */
public sealed interface ReuseGraph permits UsageGraph, ReallocationGraph {

  /** {@return the number of records in the graph} */
  int recordCount();

  /** {@return the pairs of records that may share memory in every order} */
  ReallocationGraph reallocationGraph();
}
