package dev.stowage.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.onnx.engine.EngineShapes;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A model as it is planned and run.
 *
 * @param graph its main graph, with dimensions fixed
 * @param planned which values are planned
 * @param notes what a user should know, a sentence each
 */
record LoadedModel(ModelGraph graph, PlannedValues planned, List<String> notes) {

  /** As many as a message can bear. */
  private static final int NAMED_COUNT = 20;

  /**
   * {@return a model}
   *
   * @param source the file, in messages
   * @param bytes the file
   * @param options how to read it
   * @throws MalformedInputException if it is no whole model, or the engine refuses it
   * @throws OpenDimensionsException if sizes depend on dimensions that the file leaves open
   */
  static LoadedModel of(String source, ByteBuffer bytes, OnnxOptions options) throws IOException {
    LoadedModel model = unchecked(source, bytes, options);
    checkSizes(source, model.graph, model.planned);
    List<String> notes = new ArrayList<>(model.notes);
    notes.addAll(notesOn(model.planned));
    return new LoadedModel(model.graph, model.planned, notes);
  }

  /** {@return a model of which any number of sizes may be unknown} */
  static LoadedModel unchecked(String source, ByteBuffer bytes, OnnxOptions options)
      throws IOException {
    FixedDimensions fixed = new FixedDimensions(options.dimensions());
    ModelGraph graph = ModelGraph.of(source, fixed.applyTo(parse(source, bytes)));
    List<String> notes = new ArrayList<>(graph.notes());
    List<String> unused = fixed.unused();
    if (!unused.isEmpty()) {
      notes.add("it has no open dimension named " + String.join(", ", unused));
    }
    List<String> unknown =
        PlannedValues.candidates(graph, options.scope()).stream()
            .filter(value -> isOpen(value.type()))
            .map(GraphValue::name)
            .toList();
    Map<String, ValueType> inferred = Map.of();
    if (!unknown.isEmpty()) {
      try {
        inferred = EngineShapes.infer(source, graph.model(), unknown);
      } catch (LinkageError e) {
        notes.add(
            "ONNX Runtime is not there, which infers the shapes that the file lacks: "
                + e.getMessage());
      }
    }
    PlannedValues planned = PlannedValues.of(graph, options.scope(), options.isAliased(), inferred);
    return new LoadedModel(graph, planned, notes);
  }

  /** {@return this model, of which more types are known} */
  LoadedModel withTypes(Map<String, ValueType> more) {
    PlannedValues known = planned.withTypes(more);
    List<String> all = new ArrayList<>(notes);
    all.addAll(notesOn(known));
    return new LoadedModel(graph, known, all);
  }

  /** {@return the names of tensors that would be planned, were their sizes known} */
  List<String> unknownTensors() {
    return planned.leftOut().keySet().stream()
        .filter(value -> isOpen(planned.type(value)))
        .map(GraphValue::name)
        .toList();
  }

  private static boolean isOpen(ValueType type) {
    return switch (type) {
      case ValueType.Tensor tensor -> !tensor.isComplete();
      case ValueType.Other other -> false;
      case ValueType.Unknown unknown -> true;
    };
  }

  private static ModelProto parse(String source, ByteBuffer bytes) throws MalformedInputException {
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      in.enableAliasing(true); // weights stay where they are
      return ModelProto.parseFrom(in);
    } catch (InvalidProtocolBufferException e) {
      MalformedInputException malformed =
          new MalformedInputException(source, "is not a whole ONNX model: " + e.getMessage());
      malformed.initCause(e);
      throw malformed;
    } catch (IOException e) {
      throw new AssertionError("reading from memory failed", e);
    }
  }

  /** Refuses a model of which a plan would leave out what its user did not mean to. */
  private static void checkSizes(String source, ModelGraph graph, PlannedValues planned)
      throws IOException {
    int openCount = new LoadedModel(graph, planned, List.of()).unknownTensors().size();
    if (openCount > 0) {
      refuseOpenInputs(source, graph, openCount);
    }
    long totalBytes = 0;
    for (TensorUsageRecord record : planned.records()) {
      if (record.bytes() > Long.MAX_VALUE - totalBytes) {
        throw new MalformedInputException(
            source, "its tensors need more bytes than 2^63 - 1, expected fewer");
      }
      totalBytes += record.bytes();
    }
    if (planned.records().isEmpty() && !planned.leftOut().isEmpty()) {
      throw new MalformedInputException(
          source, "none of its tensors has a known size: " + named(planned.leftOut()));
    }
  }

  /** Refuses a model whose inputs have no sizes yet. */
  static void refuseOpenInputs(String source, ModelGraph graph, int openCount)
      throws OpenDimensionsException {
    List<String> open = FixedDimensions.openIn(graph);
    if (!open.isEmpty()) {
      throw new OpenDimensionsException(
          "%s: %s no size as long as its inputs leave dimensions open: %s"
              .formatted(
                  source,
                  openCount == 1 ? "1 tensor has" : openCount + " tensors have",
                  open.stream()
                      .map(MalformedInputException::excerpt)
                      .collect(Collectors.joining(", "))),
          open);
    }
  }

  private static List<String> notesOn(PlannedValues planned) {
    List<String> notes = new ArrayList<>();
    int leftOutCount = planned.leftOut().size();
    if (leftOutCount > 0) {
      notes.add(
          "%s of unknown size %s not planned: %s"
              .formatted(
                  leftOutCount == 1 ? "1 value" : leftOutCount + " values",
                  leftOutCount == 1 ? "is" : "are",
                  named(planned.leftOut())));
    }
    return notes;
  }

  private static String named(Map<GraphValue, String> leftOut) {
    String named =
        leftOut.entrySet().stream()
            .limit(NAMED_COUNT)
            .map(entry ->
                MalformedInputException.excerpt(entry.getKey().name())
                    + " ("
                    + MalformedInputException.excerpt(entry.getValue())
                    + ")")
            .collect(Collectors.joining(", "));
    return leftOut.size() > NAMED_COUNT ? named + ", ..." : named;
  }
}
