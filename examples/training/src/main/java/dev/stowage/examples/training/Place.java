package dev.stowage.examples.training;

/** A place that executes tasks. */
interface Place {

  /** {@return the name in the output} */
  String label();

  /** Executes a task and waits for its results. */
  void execute(Task task);

  /** {@return the copies of the task if each use copied} */
  long copiesWithoutLaziness(Task task);
}
