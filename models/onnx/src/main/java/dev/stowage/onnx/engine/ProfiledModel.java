package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ProfileReader;
import dev.stowage.onnx.profile.ProfiledGraph;
import dev.stowage.onnx.profile.ProfiledGraph.Found;
import dev.stowage.onnx.profile.ProfiledRun;
import dev.stowage.onnx.profile.ServiceProfile;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A model with the profile of a session that ran it.
 *
 * <p>The operators of a run are those of the graph that ONNX Runtime's optimizations make of the
 * model, or of the model itself. A new operator of an optimization may be in neither.
 */
public final class ProfiledModel {

  /** The operators that a session adds to a graph: changes of the layout and of the device. */
  private static final List<String> ADDED =
      List.of("ReorderInput", "ReorderOutput", "MemcpyFromHost", "MemcpyToHost");

  private final String source;
  private final ServiceProfile profile;
  private final ModelProto original;
  private final List<ProfiledGraph> graphs;

  private ProfiledModel(
      String source, ServiceProfile profile, ModelProto original, List<ProfiledGraph> graphs) {
    this.source = source;
    this.profile = profile;
    this.original = original;
    this.graphs = graphs;
  }

  /**
   * {@return a model with a profile}
   *
   * @param model the file
   * @param name the name of the profile in messages
   * @param events the profile, which this method does not close
   * @throws MalformedFileException if the profile is not of the model, or the file is not a model
   * @throws IOException if a file cannot be read
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static ProfiledModel of(Path model, String name, Reader events) throws IOException {
    ModelProto original = OnnxFile.parse(model);
    List<ProfiledGraph> graphs = new ArrayList<>();
    try {
      graphs.add(
          ProfiledGraph.of(
              original.getGraph(), EngineOptimization.withoutLayout(model).optimized().getGraph()));
    } catch (MalformedFileException e) {
      if (!hasExternalWeights(original)) {
        throw e;
      }
      // A model without its weights cannot be optimized, but its operators have names.
    }
    graphs.add(ProfiledGraph.of(original.getGraph(), original.getGraph()));
    Set<String> inputs =
        original.getGraph().getInputList().stream()
            .map(ValueInfoProto::getName)
            .collect(Collectors.toSet());
    ServiceProfile profile =
        ProfileReader.read(name, events, operators -> inputs(graphs, inputs, operators));
    ProfiledModel profiled = new ProfiledModel(model.toString(), profile, original, graphs);
    profiled.checkNames();
    profiled.checkShapes();
    return profiled;
  }

  private static boolean hasExternalWeights(ModelProto model) {
    return model.getGraph().getInitializerList().stream()
        .anyMatch(weight -> weight.getDataLocation() == TensorProto.DataLocation.EXTERNAL);
  }

  /** {@return the types of the inputs of the model that operators of a run read} */
  private static Map<String, ValueType.Tensor> inputs(
      List<ProfiledGraph> graphs, Set<String> inputs, List<ProfiledRun.Operator> operators) {
    Map<String, ValueType.Tensor> types = new HashMap<>();
    for (ProfiledRun.Operator operator : operators) {
      typesOf(graphs, operator).ifPresent(types::putAll);
    }
    types.keySet().retainAll(inputs);
    return Map.copyOf(types);
  }

  /** {@return the profile} */
  public ServiceProfile profile() {
    return profile;
  }

  /** {@return the number of operators of the largest run} */
  public int operatorCount() {
    return (int)
        profile.runs().getFirst().operators().stream().filter(ProfiledModel::isOwn).count();
  }

  /** {@return the number of operators of the largest run that are in the model} */
  public int foundCount() {
    return (int)
        profile.runs().getFirst().operators().stream()
            .filter(ProfiledModel::isOwn)
            .filter(operator -> graphs.stream().anyMatch(graph -> graph.find(operator).isPresent()))
            .count();
  }

  private static boolean isOwn(ProfiledRun.Operator operator) {
    return !ADDED.contains(operator.type());
  }

  /**
   * {@return the shapes of the run with the largest tensors, of those that have some dimensions;
   * empty if there is none}
   *
   * @param dimensions the dimensions; others do not matter
   */
  public Optional<RunShapes> largest(Map<String, Long> dimensions) throws MalformedFileException {
    for (ProfiledRun run : profile.runs()) {
      Map<String, Long> ofRun = dimensions(run);
      boolean isAlike =
          dimensions.entrySet().stream()
              .allMatch(given ->
                  given.getValue().equals(ofRun.getOrDefault(given.getKey(), given.getValue())));
      if (isAlike) {
        return Optional.of(new RunShapes(run, ofRun, largestTypes(ofRun)));
      }
    }
    return Optional.empty();
  }

  /** {@return the different dimensions of the runs, in the order of the runs} */
  public List<Map<String, Long>> dimensions() throws MalformedFileException {
    List<Map<String, Long>> all = new ArrayList<>();
    for (ProfiledRun run : profile.runs()) {
      Map<String, Long> dimensions = dimensions(run);
      if (!all.contains(dimensions)) {
        all.add(dimensions);
      }
    }
    return all;
  }

  /** {@return the type with the most bytes of each tensor, of the runs with some dimensions} */
  private Map<String, ValueType.Tensor> largestTypes(Map<String, Long> dimensions)
      throws MalformedFileException {
    Map<String, ValueType.Tensor> largest = new LinkedHashMap<>();
    for (ProfiledRun run : profile.runs()) {
      if (dimensions(run).equals(dimensions)) {
        types(run)
            .forEach((name, type) ->
                largest.merge(name, type, (one, other) -> bytes(other) > bytes(one) ? other : one));
      }
    }
    return largest;
  }

  private static long bytes(ValueType.Tensor type) {
    return ValueBytes.of(type) instanceof ValueBytes.Known(long bytes) ? bytes : -1;
  }

  private static Optional<Map<String, ValueType.Tensor>> typesOf(
      List<ProfiledGraph> graphs, ProfiledRun.Operator operator) {
    for (ProfiledGraph graph : graphs) {
      Optional<Found> found = graph.find(operator);
      if (found.isPresent()) {
        return Optional.of(graph.types(found.get()));
      }
    }
    return Optional.empty();
  }

  /** {@return the types of the tensors of a run that are in the model} */
  private Map<String, ValueType.Tensor> types(ProfiledRun run) {
    Map<String, ValueType.Tensor> types = new HashMap<>();
    for (ProfiledRun.Operator operator : run.operators()) {
      for (ProfiledGraph graph : graphs) {
        Optional<Found> found = graph.find(operator);
        if (found.isPresent()) {
          if (!found.get().isBlocked()) {
            types.putAll(graph.outputs(found.get()));
          }
          break;
        }
      }
    }
    types.values().removeIf(type -> bytes(type) < 0);
    return types;
  }

  /** {@return the sizes of the open dimensions in a run} */
  private Map<String, Long> dimensions(ProfiledRun run) throws MalformedFileException {
    Map<String, List<DimensionSize>> inputs = new HashMap<>();
    for (ValueInfoProto input : original.getGraph().getInputList()) {
      if (ValueType.of(input.getType()) instanceof ValueType.Tensor type) {
        type.shape().ifPresent(shape -> inputs.put(input.getName(), shape));
      }
    }
    Map<String, Long> sizes = new TreeMap<>();
    for (ProfiledRun.Operator operator : run.operators()) {
      for (Map.Entry<String, ValueType.Tensor> each :
          typesOf(graphs, operator).orElse(Map.of()).entrySet()) {
        List<DimensionSize> shape = inputs.get(each.getKey());
        if (shape != null) {
          addSizes(operator, each.getKey(), shape, each.getValue(), sizes);
        }
      }
    }
    return sizes;
  }

  private void addSizes(
      ProfiledRun.Operator operator,
      String input,
      List<DimensionSize> declared,
      ValueType.Tensor type,
      Map<String, Long> sizes)
      throws MalformedFileException {
    long[] shape = type.dimensions();
    boolean fits = shape.length == declared.size();
    for (int axis = 0; fits && axis < shape.length; axis++) {
      switch (declared.get(axis)) {
        case DimensionSize.Known(long size) -> fits = size == shape[axis];
        case DimensionSize.Named(String name) -> sizes.put(name, shape[axis]);
        case DimensionSize.Unnamed unnamed ->
            sizes.put(FixedDimensions.byPlace(input, axis), shape[axis]);
      }
    }
    if (!fits) {
      throw mismatch(
          String.format(
              Locale.ROOT,
              "operator '%s' read input '%s' as %s, which the model declares as %s",
              MalformedFileException.excerpt(operator.name()),
              MalformedFileException.excerpt(input),
              type,
              new ValueType.Tensor(type.elementCode(), Optional.of(declared))));
    }
  }

  private void checkNames() throws MalformedFileException {
    int count = operatorCount();
    int found = foundCount();
    if (2 * found < count) {
      throw mismatch(
          String.format(Locale.ROOT, "%d of its %d operators are in the model", found, count));
    }
  }

  /** Compares the largest run with the shapes that follow from its dimensions. */
  private void checkShapes() throws MalformedFileException {
    ProfiledRun run = profile.runs().getFirst();
    ModelGraph graph =
        GraphAssembly.assemble(source, new FixedDimensions(dimensions(run)).applyTo(original));
    Map<String, ValueType.Tensor> observed = types(run);
    List<String> names = graph.results().stream().filter(observed::containsKey).toList();
    if (names.isEmpty()) {
      return;
    }
    Map<String, ValueType> inferred = EngineShapes.inferWithRules(source, graph, names);
    for (String name : names) {
      GraphValue value = graph.value(name).orElseThrow();
      ValueType type =
          ValueType.merge(value.type(), inferred.getOrDefault(name, new ValueType.Unknown()));
      ValueType.Tensor ran = observed.get(name);
      if (ran != null
          && type instanceof ValueType.Tensor tensor
          && tensor.isComplete()
          && bytes(tensor) != bytes(ran)) {
        throw mismatch(
            String.format(
                Locale.ROOT,
                "tensor '%s' is %s, which follows from the model as %s",
                MalformedFileException.excerpt(name),
                ran,
                tensor));
      }
    }
  }

  private MalformedFileException mismatch(String problem) {
    return new MalformedFileException(
        profile.source(), "is not a profile of " + source + ": " + problem);
  }
}
