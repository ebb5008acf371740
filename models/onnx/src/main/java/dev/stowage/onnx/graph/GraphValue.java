package dev.stowage.onnx.graph;

/**
 * A value of a graph.
 *
 * @param index the index in {@link ModelGraph#values()}
 * @param name the name, which is unique in the graph
 * @param source the source of the value
 * @param type the type in the file
 * @param isConstant true if it is the same in every run: an initializer, or computed from constants
 * @param isOutput true if it is an output of the graph
 * @param firstTask the task that computes it; 0 for inputs and initializers
 * @param lastTask the last task that reads it; the first task if no task does
 */
public record GraphValue(
    int index,
    String name,
    Source source,
    ValueType type,
    boolean isConstant,
    boolean isOutput,
    int firstTask,
    int lastTask) {

  /** The source of a value. */
  public enum Source {
    /** The caller of the model. */
    INPUT,
    /** The file. */
    INITIALIZER,
    /** None: models whose weights were removed have such names. */
    MISSING,
    /** An operator. */
    RESULT
  }
}
