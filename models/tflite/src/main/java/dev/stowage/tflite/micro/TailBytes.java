package dev.stowage.tflite.micro;

import java.util.EnumMap;
import java.util.Map;

/** The end of an arena. TensorFlow Lite Micro takes memory from it, and never frees this memory. */
final class TailBytes {

  /** The largest size that the tail adds; sizes in damaged models can be larger. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  private final Map<TailPart, Long> parts;
  private TailPart part = TailPart.INTERPRETER;
  private long bytes;

  TailBytes() {
    parts = new EnumMap<>(TailPart.class);
  }

  /** Creates a tail that grows from another one. */
  TailBytes(TailBytes start) {
    parts = new EnumMap<>(start.parts);
    bytes = start.bytes;
  }

  /** Sets the part that owns the memory from now on. */
  void enter(TailPart next) {
    part = next;
  }

  /**
   * Takes memory.
   *
   * @param taken the size
   * @param alignment the alignment of its address; it divides the alignment of the end of the arena
   */
  void add(long taken, long alignment) {
    long end = Math.ceilDiv(bytes + Math.min(taken, MAX_BYTES), alignment) * alignment;
    parts.merge(part, end - bytes, Long::sum);
    bytes = end;
  }

  /** Takes memory as kernels do: their data have the alignment of tensors. */
  void addData(long taken) {
    add(taken, MicroAlignment.BYTES);
  }

  /** {@return the bytes of each part, with the bytes that alignment costs} */
  Map<TailPart, Long> parts() {
    return parts;
  }

  /** {@return the bytes that are taken, with the bytes that alignment costs} */
  long bytes() {
    return bytes;
  }
}
