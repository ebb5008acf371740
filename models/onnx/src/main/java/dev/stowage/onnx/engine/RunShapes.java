package dev.stowage.onnx.engine;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfiledRun;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The shapes of the tensors of a model in a profiled run.
 *
 * @param run the run
 * @param dimensions the sizes of the open dimensions of the model, by name or by position as {@code
 *     input[axis]}
 * @param types the types of tensors by name; the largest ones of all runs with these dimensions
 */
public record RunShapes(
    ProfiledRun run, Map<String, Long> dimensions, Map<String, ValueType.Tensor> types) {

  /** Creates shapes. */
  public RunShapes {
    dimensions = Map.copyOf(dimensions);
    types = Map.copyOf(types);
  }

  /** {@return the name of the type of the elements of a tensor; empty if it is unknown} */
  public Optional<String> elementType(String tensor) {
    return Optional.ofNullable(types.get(tensor))
        .flatMap(type -> ElementType.ofCode(type.elementCode()))
        .map(ElementType::name);
  }

  /** {@return the dimensions of a tensor; none if it is not in the run} */
  public List<Long> shape(String tensor) {
    ValueType.Tensor type = types.get(tensor);
    return type == null ? List.of() : Arrays.stream(type.dimensions()).boxed().toList();
  }
}
