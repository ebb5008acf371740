package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.SubGraph;

/**
 * A model with its kinds of operators and its buffers.
 *
 * @param file the file
 * @param root the root table
 * @param subgraphCount the number of subgraphs, at least 1
 * @param codes the kinds of operators
 * @param buffers the buffers
 */
public record TfliteModel(
    ModelFile file, Model root, int subgraphCount, OperatorCodes codes, ConstantBuffers buffers) {

  /**
   * {@return the model of a file}
   *
   * @param file the file
   * @throws MalformedFileException if the model is damaged, or has no subgraph
   */
  public static TfliteModel of(ModelFile file) throws MalformedFileException {
    Model root = file.root();
    int subgraphCount =
        file.length("subgraphs", root.subgraphsLength(), Integer.BYTES, root::subgraphs);
    if (subgraphCount == 0) {
      throw file.malformed("has no subgraph, expected at least 1");
    }
    OperatorCodes codes = OperatorCodes.of(file, root);
    return new TfliteModel(file, root, subgraphCount, codes, ConstantBuffers.of(file, root));
  }

  /**
   * {@return a subgraph, which becomes the current place of the file}
   *
   * @param index its index
   * @throws MalformedFileException if the file exceeds its budget
   */
  public SubGraph subgraph(int index) throws MalformedFileException {
    file.enter("subgraph", index);
    file.payTable();
    return root.subgraphs(index);
  }

  /**
   * {@return the tensors of a subgraph, which is the current place of the file}
   *
   * @param subgraph the subgraph
   * @throws MalformedFileException if the file is damaged
   */
  public TensorTable tensors(SubGraph subgraph) throws MalformedFileException {
    return TensorTable.of(file, buffers, subgraph);
  }
}
