package dev.stowage.onnx.graph;

/**
 * A value of a graph.
 *
 * @param index the index in {@link ModelGraph#values()}
 * @param name the name, which is unique in the graph
 * @param type the type in the file
 * @param role its part in the graph
 * @param lifetime the tasks that need it
 */
public record GraphValue(int index, String name, ValueType type, Role role, Lifetime lifetime) {

  /**
   * The part of a value in a graph.
   *
   * @param source the source of the value
   * @param isConstant true if it is the same in every run: an initializer, or computed from
   *     constants
   * @param isOutput true if it is an output of the graph
   */
  public record Role(Source source, boolean isConstant, boolean isOutput) {}

  /**
   * The tasks that need a value.
   *
   * @param firstTask the task that computes it; 0 for inputs and initializers
   * @param lastTask the last task that reads it; the first task if no task does
   */
  public record Lifetime(int firstTask, int lastTask) {}

  /** The source of a value. */
  public enum Source {
    /** The caller of the model. */
    INPUT,
    /** The file. */
    INITIALIZER,
    /** None: models without their weights have such names. */
    MISSING,
    /** An operator. */
    RESULT
  }

  /** {@return the source of the value} */
  public Source source() {
    return role.source();
  }

  /** {@return true if it is the same in every run} */
  public boolean isConstant() {
    return role.isConstant();
  }

  /** {@return true if it is an output of the graph} */
  public boolean isOutput() {
    return role.isOutput();
  }

  /** {@return the task that computes it; 0 for inputs and initializers} */
  public int firstTask() {
    return lifetime.firstTask();
  }

  /** {@return the last task that reads it; the first task if no task does} */
  public int lastTask() {
    return lifetime.lastTask();
  }
}
