package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.NodeAttributes;

/** A value in blocks of channels, which stands for a value of the old graph. */
final class BlockedValue {

  /** The domain of the operators that work on blocks. */
  static final String DOMAIN = "com.microsoft.nchwc";

  private final NodeProto.Builder producer;
  private final String name;
  private final int uses;
  private final long channels;
  private final BlockedShape shape;
  private int remainingUses;

  /**
   * Creates a value.
   *
   * @param producer the operator that computes the value
   * @param uses the uses of the old value
   * @param channels the channels without those that fill the last block
   * @param shape the origins of its dimensions
   */
  BlockedValue(NodeProto.Builder producer, int uses, long channels, BlockedShape shape) {
    this.producer = producer;
    this.name = producer.getOutput(0);
    this.uses = uses;
    this.remainingUses = uses;
    this.channels = channels;
    this.shape = shape;
  }

  String name() {
    return name;
  }

  long channels() {
    return channels;
  }

  BlockedShape shape() {
    return shape;
  }

  NodeProto.Builder producer() {
    return producer;
  }

  /** {@return the name, for an operator that no longer uses the old value} */
  String use() {
    remainingUses--;
    return name;
  }

  /** {@return true if operators still use the old value} */
  boolean isStillUsed() {
    return remainingUses > 0;
  }

  /** {@return true if a convolution without an activation computes the value for one use} */
  boolean isOfPlainConvolution() {
    return producer.getOpType().equals("Conv")
        && producer.getDomain().equals(DOMAIN)
        && uses == 1
        && NodeAttributes.find(producer, "activation").isEmpty();
  }
}
