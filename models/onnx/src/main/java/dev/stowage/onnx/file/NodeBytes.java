package dev.stowage.onnx.file;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The places of the operators of the main graph in the bytes of a model. */
final class NodeBytes {

  /*
   * A model is a sequence of fields, and one of them is the graph. The graph is a sequence of
   * fields, too; each operator is one of them, with a tag and a length. Programs may write the
   * fields in any order, and several graphs, which readers merge.
   */

  private static final int GRAPH = tag(ModelProto.GRAPH_FIELD_NUMBER);
  private static final int NODE = tag(GraphProto.NODE_FIELD_NUMBER);

  /**
   * An operator.
   *
   * @param start the index of its first byte
   * @param end the index after its last byte
   */
  record Range(int start, int end) {}

  private final CodedInputStream in;
  private final List<Range> nodes = new ArrayList<>();
  private int graphsWithNodes;

  private NodeBytes(CodedInputStream in) {
    this.in = in;
  }

  private static int tag(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /**
   * {@return the operators of a model in the order of the file}
   *
   * @param source the name of the model in messages
   * @param model its bytes, which are a model
   * @throws MalformedFileException if the operators are in more than one graph field
   */
  static List<Range> of(String source, ByteBuffer model) throws MalformedFileException {
    NodeBytes bytes = new NodeBytes(CodedInputStream.newInstance(model));
    try {
      bytes.readModel();
    } catch (IOException e) {
      throw new AssertionError("the model cannot be read again: " + e.getMessage(), e);
    }
    if (bytes.graphsWithNodes > 1) {
      throw new MalformedFileException(
          source, "has its operators in more than one graph field, expected one graph");
    }
    return List.copyOf(bytes.nodes);
  }

  private void readModel() throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == GRAPH) {
        int before = nodes.size();
        int outer = in.pushLimit(in.readRawVarint32());
        readGraph();
        in.popLimit(outer);
        graphsWithNodes += nodes.size() > before ? 1 : 0;
      } else {
        in.skipField(tag);
      }
    }
  }

  private void readGraph() throws IOException {
    int start = in.getTotalBytesRead();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      in.skipField(tag);
      if (tag == NODE) {
        nodes.add(new Range(start, in.getTotalBytesRead()));
      }
      start = in.getTotalBytesRead();
    }
  }
}
