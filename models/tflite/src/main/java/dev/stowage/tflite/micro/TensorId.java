package dev.stowage.tflite.micro;

/**
 * The indices of a tensor.
 *
 * @param subgraph the index of its subgraph
 * @param tensor the index in the subgraph; -1 for a scratch buffer
 * @param planIndex the index among the tensors of all subgraphs, as in an offline plan; -1 for a
 *     scratch buffer
 */
public record TensorId(int subgraph, int tensor, int planIndex) {

  /** {@return the indices of a scratch buffer} */
  static TensorId ofScratch(int subgraph) {
    return new TensorId(subgraph, -1, -1);
  }

  /** {@return true for a scratch buffer} */
  public boolean isScratch() {
    return planIndex < 0;
  }
}
