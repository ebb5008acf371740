package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.NodeProtoOrBuilder;
import java.util.List;
import java.util.Optional;

/** The attributes of an operator. */
public final class NodeAttributes {

  private NodeAttributes() {}

  /** {@return an attribute of an operator, if it has it} */
  public static Optional<AttributeProto> find(NodeProtoOrBuilder node, String name) {
    return node.getAttributeList().stream()
        .filter(attribute -> attribute.getName().equals(name))
        .findFirst();
  }

  /** {@return the integers of an attribute; empty if the operator lacks it} */
  public static List<Long> integers(NodeProtoOrBuilder node, String name) {
    return find(node, name).map(AttributeProto::getIntsList).orElse(List.of());
  }

  /** {@return the integer of an attribute, or another one if the operator lacks it} */
  public static long integer(NodeProtoOrBuilder node, String name, long missing) {
    return find(node, name).map(AttributeProto::getI).orElse(missing);
  }

  /** {@return the text of an attribute; empty if the operator lacks it} */
  public static String text(NodeProtoOrBuilder node, String name) {
    return find(node, name).map(attribute -> attribute.getS().toStringUtf8()).orElse("");
  }

  /** Sets an integer attribute of an operator. */
  public static void set(NodeProto.Builder node, String name, long value) {
    for (int i = 0; i < node.getAttributeCount(); i++) {
      if (node.getAttribute(i).getName().equals(name)) {
        node.removeAttribute(i);
        break;
      }
    }
    node.addAttributeBuilder().setName(name).setType(AttributeProto.AttributeType.INT).setI(value);
  }
}
