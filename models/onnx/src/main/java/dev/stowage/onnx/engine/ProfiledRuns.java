package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfileEvents;
import dev.stowage.onnx.profile.ProfileEvents.Event;
import dev.stowage.onnx.profile.ProfiledTensor;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The runs in a profile of a session of ONNX Runtime that ran a model. */
public final class ProfiledRuns {

  /*
   * An event has the name of its operator. For an operator without a name, it has the type and the
   * index among the file's operators except constants. A fused operator has another name, and its
   * tensors are in no run. A convolution in the processor's own layout has the name of its last
   * output with a suffix, and other outputs than in the file.
   */

  private static final String BLOCKED_SUFFIX = "_nchwc";
  private static final NodeProto NONE = NodeProto.getDefaultInstance();

  private final Map<String, NodeProto> nodes = new HashMap<>();
  private final Map<String, NodeProto> producers = new HashMap<>();

  /** The inputs of the model without its weights. */
  private final Map<String, ValueInfoProto> inputs = new HashMap<>();

  /** The operators of the main graph so far, in the run of each thread. */
  private final Map<Long, List<Event>> open = new HashMap<>();

  private final Map<Map<String, Long>, Run> runs = new HashMap<>();

  /**
   * The runs with the same sizes of open dimensions.
   *
   * @param dimensions the sizes, by name or by position as {@code input[axis]}
   * @param types the type with the most bytes of each tensor, by its name
   * @param outputBytes the bytes of the outputs of all operators
   */
  public record Run(
      Map<String, Long> dimensions, Map<String, ProfiledTensor> types, long outputBytes) {

    private Run and(Run other) {
      Map<String, ProfiledTensor> largest = new HashMap<>(types);
      other.types.forEach((name, type) ->
          largest.merge(name, type, (one, two) -> two.bytes() > one.bytes() ? two : one));
      return new Run(dimensions, largest, Math.max(outputBytes, other.outputBytes));
    }
  }

  private ProfiledRuns(GraphProto graph) {
    graph.getInputList().forEach(input -> inputs.put(input.getName(), input));
    graph.getInitializerList().forEach(weight -> inputs.remove(weight.getName()));
    int index = 0;
    for (NodeProto node : graph.getNodeList()) {
      if (!node.getOpType().equals("Constant")) {
        String name = node.getName().isEmpty() ? node.getOpType() + "_" + index : node.getName();
        nodes.merge(name, node, (_, _) -> NONE); // a name of several operators identifies none
        node.getOutputList().forEach(output -> producers.put(output, node));
        index++;
      }
    }
  }

  /**
   * {@return the runs of a model in a profile, runs with the largest tensors first}
   *
   * @param model the file
   * @param source the name of the profile in messages
   * @param profile the profile, which this method does not close
   * @throws MalformedFileException if the profile is not of the model, or the file is not a model
   * @throws IOException if a file cannot be read
   */
  public static List<Run> read(Path model, String source, Reader profile) throws IOException {
    ProfiledRuns all = new ProfiledRuns(OnnxFile.parse(model).getGraph());
    ProfileEvents.read(source, profile, all::add);
    List<Run> runs =
        all.runs.values().stream()
            .sorted(Comparator.comparingLong(Run::outputBytes).reversed())
            .toList();
    if (runs.isEmpty()) {
      throw new MalformedFileException(
          source,
          "has no run, expected a profile of ONNX Runtime in which a session with ExecutionMode.SEQUENTIAL ran");
    }
    if (runs.getFirst().types().isEmpty()) {
      throw new MalformedFileException(
          source, "is not a profile of " + model + ": none of its operators is in the model");
    }
    return runs;
  }

  private void add(Event event) {
    long start = event.number("ts");
    if (event.isOperator()) {
      List<Event> run = open.computeIfAbsent(event.number("tid"), _ -> new ArrayList<>());
      // The operators of a body have ended before the operator with the body.
      while (!run.isEmpty() && isWithin(run.getLast(), start)) {
        run.removeLast();
      }
      run.add(event);
    } else if (event.text("name").equals("model_run")) {
      List<Event> operators = open.getOrDefault(event.number("tid"), List.of());
      open.remove(event.number("tid"));
      // A run that failed has operators and no end.
      List<Event> own = operators.stream().filter(each -> each.number("ts") >= start).toList();
      if (!own.isEmpty()) {
        Run run = run(own);
        runs.merge(run.dimensions(), run, Run::and);
      }
    }
  }

  /** {@return true if an operator started after the one that ends now, so it was in its body} */
  private static boolean isWithin(Event earlier, long start) {
    return earlier.number("ts") > start
        || (earlier.number("ts") == start && earlier.number("dur") > 0);
  }

  private Run run(List<Event> operators) {
    Map<String, Long> dimensions = new TreeMap<>();
    Map<String, ProfiledTensor> types = new HashMap<>();
    long bytes = 0;
    for (Event operator : operators) {
      bytes += operator.number("output_size");
      String name = operator.text("name").replace("_kernel_time", "");
      NodeProto node = find(name, operator.text("op_name"));
      for (int i = 0; i < Math.min(node.getInputCount(), operator.inputs().size()); i++) {
        // Packed weights are missing in the event, so only the first input certainly has its place.
        if (i == 0 || node.getInputCount() == operator.inputs().size()) {
          addSizes(node.getInput(i), operator.inputs().get(i).shape(), dimensions);
        }
      }
      if (!name.endsWith(BLOCKED_SUFFIX) && node.getOutputCount() == operator.outputs().size()) {
        for (int i = 0; i < node.getOutputCount(); i++) {
          types.put(node.getOutput(i), operator.outputs().get(i));
        }
      }
    }
    types.values().removeIf(type -> type.bytes() < 0);
    return new Run(Map.copyOf(dimensions), types, bytes);
  }

  /** {@return the model's operator for the name and type of an event; an empty one if none} */
  private NodeProto find(String name, String type) {
    boolean isBlocked = name.endsWith(BLOCKED_SUFFIX);
    NodeProto node =
        isBlocked
            ? producer(name.substring(0, name.length() - BLOCKED_SUFFIX.length()))
            : nodes.getOrDefault(name, NONE);
    while (isBlocked && !node.getOpType().equals(type) && node.getInputCount() > 0) {
      node = producer(node.getInput(0)); // before an activation that is a part of the convolution
    }
    return node.getOpType().equals(type) ? node : NONE;
  }

  private NodeProto producer(String output) {
    return producers.getOrDefault(output, NONE);
  }

  /** Adds the sizes of the open dimensions of an input of the model. */
  private void addSizes(String input, List<Long> sizes, Map<String, Long> dimensions) {
    ValueInfoProto declared = inputs.getOrDefault(input, ValueInfoProto.getDefaultInstance());
    if (ValueType.of(declared.getType()) instanceof ValueType.Tensor tensor) {
      List<DimensionSize> shape = tensor.shape().orElse(List.of());
      for (int axis = 0; axis < sizes.size() && shape.size() == sizes.size(); axis++) {
        switch (shape.get(axis)) {
          case DimensionSize.Known _ -> {}
          case DimensionSize.Named(String name) -> dimensions.put(name, sizes.get(axis));
          case DimensionSize.Unnamed _ ->
              dimensions.put(FixedDimensions.byPlace(input, axis), sizes.get(axis));
        }
      }
    }
  }
}
