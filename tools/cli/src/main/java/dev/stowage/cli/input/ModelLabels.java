package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxNode;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxTensorType;
import dev.stowage.onnx.OnnxView;
import dev.stowage.onnx.SymbolicOnnxProblem;
import dev.stowage.onnx.SymbolicTensorType;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.tflite.TensorType;
import dev.stowage.tflite.TfliteProblem;
import dev.stowage.tflite.TfliteTensor;
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

  /** {@return the records of a .tflite model} */
  static List<RecordLabel> records(TfliteProblem model) {
    return IntStream.range(0, model.tensors().size())
        .mapToObj(i -> {
          TfliteTensor tensor = model.tensors().get(i);
          return new RecordLabel(
              Integer.toString(tensor.index()),
              nameOr(Integer.toString(tensor.index()), tensor.name()),
              Optional.of(shape(tensor.type())),
              Optional.of(model.uses().get(i)),
              List.of());
        })
        .toList();
  }

  /**
   * {@return a tensor or a scratch buffer of a model for TensorFlow Lite Micro}
   *
   * @param id its id
   * @param tensor the tensor
   */
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
  static List<RecordLabel> records(OnnxProblem model) {
    return IntStream.range(0, model.names().size())
        .mapToObj(i -> {
          String name = model.names().get(i);
          return new RecordLabel(
              name,
              name,
              Optional.of(shape(model.types().get(i))),
              Optional.of(model.uses().get(i)),
              views(model.views().get(i)));
        })
        .toList();
  }

  /** {@return the records of an .onnx model for all shapes of its ranges} */
  static List<RecordLabel> records(SymbolicOnnxProblem model) {
    return IntStream.range(0, model.names().size())
        .mapToObj(i -> {
          String name = model.names().get(i);
          return new RecordLabel(
              name,
              name,
              Optional.empty(),
              Optional.of(model.uses().get(i)),
              views(model.views().get(i)));
        })
        .toList();
  }

  private static List<TensorView> views(List<OnnxView> views) {
    return views.stream().map(view -> new TensorView(view.name(), view.producer())).toList();
  }

  /** {@return the records of an .onnx model at one shape of its ranges} */
  static List<RecordLabel> records(SymbolicOnnxProblem model, DimensionValues values) {
    return IntStream.range(0, model.names().size())
        .mapToObj(i -> {
          SymbolicTensorType type = model.types().get(i);
          String name = model.names().get(i);
          return new RecordLabel(
              name,
              name,
              Optional.of(
                  new TensorShape(
                      type.shape().stream().map(size -> size.evaluate(values)).toList(),
                      type.elementType())),
              Optional.of(model.uses().get(i)),
              views(model.views().get(i)));
        })
        .toList();
  }

  /** {@return the shape of a tensor of a .tflite model} */
  static TensorShape shape(TensorType type) {
    return new TensorShape(
        type.shape().stream().map(Integer::longValue).toList(), type.elementType());
  }

  /**
   * {@return the shape of a tensor of an .onnx model}
   *
   * @param type its type
   */
  public static TensorShape shape(OnnxTensorType type) {
    return new TensorShape(type.shape(), type.elementType());
  }
}
