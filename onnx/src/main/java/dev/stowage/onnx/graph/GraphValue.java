package dev.stowage.onnx.graph;

/**
 * A value of a graph.
 *
 * @param index its place in {@link ModelGraph#values()}
 * @param name its name, which no other value of the graph has
 * @param source where it comes from
 * @param type what the file says that it is
 * @param isConstant whether it is the same in every run: an initializer or made of such
 * @param isOutput whether it is one of the graph's outputs
 * @param firstTask the task that makes it; 0 for what is there before
 * @param lastTask the last task that reads it; its first where none does
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

  /** Where a value comes from. */
  public enum Source {
    /** The caller of the model. */
    INPUT,
    /** The file. */
    INITIALIZER,
    /** Nothing in the file: models stripped of their weights have such names. */
    MISSING,
    /** An operator. */
    RESULT
  }
}
