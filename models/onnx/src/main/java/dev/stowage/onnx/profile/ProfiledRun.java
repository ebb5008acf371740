package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfiledOperator.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of a profile in which the inputs of the model had the same shapes.
 *
 * @param operators the operators of the main graph, in the order of execution, with the largest
 *     type of each tensor
 */
public record ProfiledRun(List<Operator> operators) {

  /** Creates a run. */
  public ProfiledRun {
    operators = List.copyOf(operators);
  }

  /** {@return the bytes of the outputs of all operators} */
  public long outputBytes() {
    return operators.stream().mapToLong(Operator::outputBytes).sum();
  }

  /**
   * An operator of a run.
   *
   * @param name the name of the operator, or its type and its index in the session's graph
   * @param type the type of the operator, without its domain
   * @param tensors the types of its tensors
   * @param outputBytes the bytes of its outputs
   */
  public record Operator(String name, String type, Tensors tensors, long outputBytes) {

    /** {@return this operator with the larger type of each tensor in two executions} */
    Operator or(Operator other) {
      boolean isComparable =
          tensors.inputs().size() == other.tensors.inputs().size()
              && tensors.outputs().size() == other.tensors.outputs().size();
      if (!isComparable) {
        return outputBytes >= other.outputBytes ? this : other;
      }
      Tensors larger =
          new Tensors(
              larger(tensors.inputs(), other.tensors.inputs()),
              larger(tensors.outputs(), other.tensors.outputs()));
      return new Operator(name, type, larger, Math.max(outputBytes, other.outputBytes));
    }

    private static List<ValueType.Tensor> larger(
        List<ValueType.Tensor> one, List<ValueType.Tensor> other) {
      List<ValueType.Tensor> larger = new ArrayList<>();
      for (int i = 0; i < one.size(); i++) {
        larger.add(bytes(other.get(i)) > bytes(one.get(i)) ? other.get(i) : one.get(i));
      }
      return larger;
    }

    private static long bytes(ValueType.Tensor type) {
      return ValueBytes.of(type) instanceof ValueBytes.Known(long bytes) ? bytes : -1;
    }
  }
}
