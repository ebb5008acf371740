package dev.stowage.onnx.file;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TrainingInfoProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The number of operators in the bytes of a model: in its graph, in the bodies of operators, and in
 * functions.
 *
 * <p>An operator may have two bytes in the file and some hundred in memory, so that they are
 * counted before the model is parsed. Costs O(f) for f fields of graphs, operators and attributes;
 * weights are skipped.
 */
final class OperatorCount {

  static final int MOST = 1_000_000;

  /** Protobuf refuses a message of this depth. */
  private static final int MOST_DEPTH = 100;

  /** A message that has operators, or other messages that have them. */
  private enum Part {
    MODEL,
    GRAPH,
    OPERATOR,
    ATTRIBUTE,
    FUNCTION,
    TRAINING,
    OTHER;

    /** {@return the part in a field of this one} */
    Part of(int field) {
      return switch (this) {
        case MODEL ->
            switch (field) {
              case ModelProto.GRAPH_FIELD_NUMBER -> GRAPH;
              case ModelProto.FUNCTIONS_FIELD_NUMBER -> FUNCTION;
              case ModelProto.TRAINING_INFO_FIELD_NUMBER -> TRAINING;
              default -> OTHER;
            };
        case GRAPH -> field == GraphProto.NODE_FIELD_NUMBER ? OPERATOR : OTHER;
        case OPERATOR -> field == NodeProto.ATTRIBUTE_FIELD_NUMBER ? ATTRIBUTE : OTHER;
        case ATTRIBUTE ->
            switch (field) {
              case AttributeProto.G_FIELD_NUMBER, AttributeProto.GRAPHS_FIELD_NUMBER -> GRAPH;
              default -> OTHER;
            };
        case FUNCTION ->
            switch (field) {
              case FunctionProto.NODE_FIELD_NUMBER -> OPERATOR;
              case FunctionProto.ATTRIBUTE_PROTO_FIELD_NUMBER -> ATTRIBUTE;
              default -> OTHER;
            };
        case TRAINING ->
            switch (field) {
              case TrainingInfoProto.INITIALIZATION_FIELD_NUMBER,
                  TrainingInfoProto.ALGORITHM_FIELD_NUMBER ->
                  GRAPH;
              default -> OTHER;
            };
        case OTHER -> OTHER;
      };
    }
  }

  private final CodedInputStream in;
  private int count;

  private OperatorCount(CodedInputStream in) {
    this.in = in;
  }

  /**
   * Rejects a model with too many operators. A damaged model passes; it cannot be parsed.
   *
   * @param source the name of the model in messages
   * @param model its bytes
   * @throws MalformedFileException if it has more than {@link #MOST}
   */
  static void check(String source, ByteBuffer model) throws MalformedFileException {
    OperatorCount operators = new OperatorCount(CodedInputStream.newInstance(model));
    try {
      operators.read(Part.MODEL, 0);
    } catch (IOException e) {
      return; // the parser has the message
    }
    if (operators.count > MOST) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT, "has more than %,d operators, expected at most %,d", MOST, MOST));
    }
  }

  private void read(Part part, int depth) throws IOException {
    for (int tag = in.readTag(); tag != 0 && count <= MOST; tag = in.readTag()) {
      Part inner = part.of(WireFormat.getTagFieldNumber(tag));
      if (inner == Part.OTHER
          || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED
          || depth == MOST_DEPTH) {
        in.skipField(tag);
        continue;
      }
      count += inner == Part.OPERATOR ? 1 : 0;
      int bytes = in.readRawVarint32();
      if (bytes != 0) {
        int outer = in.pushLimit(bytes);
        read(inner, depth + 1);
        if (count > MOST) {
          return;
        }
        in.popLimit(outer);
      }
    }
  }
}
