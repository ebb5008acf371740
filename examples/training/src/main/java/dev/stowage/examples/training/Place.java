package dev.stowage.examples.training;

/** Where tasks are executed. */
interface Place {

  /** {@return what the output calls it} */
  String label();

  /** Executes a task; its results are there when this returns. */
  void execute(Task task);

  /** {@return how many copies the task would take here if nobody knew where contents are} */
  long copiesWithoutLaziness(Task task);
}
