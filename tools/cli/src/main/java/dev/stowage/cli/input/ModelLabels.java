package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxNode;
import dev.stowage.onnx.OnnxTensorType;
import dev.stowage.onnx.PlannedTensor;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.label.TensorView;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.tflite.TensorType;
import dev.stowage.tflite.TfliteProblem;
import dev.stowage.tflite.micro.MicroTensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The labels of the tasks and records of models. */
public final class ModelLabels {

  private ModelLabels() {}

  /** {@return the operators of a .tflite model} */
  static List<TaskLabel> tasks(TfliteProblem model) {
    List<String> kinds = model.kinds();
    return IntStream.range(0, kinds.size())
        .mapToObj(task -> new TaskLabel(kinds.get(task) + " " + task, ""))
        .toList();
  }

  /** {@return the operators of an .onnx model} */
  static List<TaskLabel> tasks(List<OnnxNode> nodes) {
    return nodes.stream()
        .map(node -> new TaskLabel(node.type() + " " + node.index(), node.name()))
        .toList();
  }

  /** {@return the scopes of a model for TensorFlow Lite Micro, by their names} */
  static List<TaskLabel> scopes(List<String> names) {
    return names.stream().map(name -> new TaskLabel(name, "")).toList();
  }

  static List<RecordLabel> records(TfliteProblem model) {
    return model.tensors().stream()
        .map(tensor -> {
          String id = Integer.toString(tensor.index());
          return new RecordLabel(
              id,
              nameOr(id, tensor.name()),
              Optional.of(shape(tensor.type())),
              Optional.of(tensor.uses()),
              List.of());
        })
        .toList();
  }

  /** {@return a tensor or a scratch buffer of a model for TensorFlow Lite Micro} */
  static RecordLabel record(String id, MicroTensor tensor) {
    return new RecordLabel(
        id,
        nameOr(id, tensor.name()),
        tensor.type().map(ModelLabels::shape),
        Optional.of(tensor.uses()),
        List.of());
  }

  private static String nameOr(String id, String name) {
    return name.isEmpty() ? id : name;
  }

  /** {@return the records of an .onnx model} */
  static List<RecordLabel> records(List<PlannedTensor> tensors) {
    return tensors.stream()
        .map(tensor ->
            new RecordLabel(
                tensor.name(),
                tensor.name(),
                Optional.of(shape(tensor.type())),
                Optional.of(tensor.uses()),
                tensor.views().stream()
                    .map(view -> new TensorView(view.name(), view.producer()))
                    .toList()))
        .toList();
  }

  /** {@return the shape of a tensor of a .tflite model} */
  static TypedShape shape(TensorType type) {
    return new TypedShape(
        type.shape().stream().map(Integer::longValue).toList(), type.elementType());
  }

  public static TypedShape shape(OnnxTensorType type) {
    return new TypedShape(type.shape(), type.elementType());
  }
}
