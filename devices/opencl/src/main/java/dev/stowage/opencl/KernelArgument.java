package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An argument of a kernel. */
public sealed interface KernelArgument {

  /**
   * Device memory, for a parameter such as {@code global float *x}.
   *
   * @param address the start, a multiple of {@link OpenClDevice#alignmentBytes}
   * @param bytes the size, at least 1
   */
  record Memory(long address, long bytes) implements KernelArgument {}

  /**
   * An {@code int} or {@code uint}.
   *
   * @param value the value
   */
  record Int32(int value) implements KernelArgument {}

  /**
   * A {@code long} or {@code ulong}.
   *
   * @param value the value
   */
  record Int64(long value) implements KernelArgument {}

  /**
   * A {@code float}.
   *
   * @param value the value
   */
  record Float32(float value) implements KernelArgument {}

  /**
   * A {@code double}, if the device supports it.
   *
   * @param value the value
   */
  record Float64(double value) implements KernelArgument {}

  /**
   * {@return device memory}
   *
   * @param address its address
   * @param bytes its size
   */
  static KernelArgument memory(long address, long bytes) {
    return new Memory(address, bytes);
  }

  /**
   * {@return an {@code int}}
   *
   * @param value the number
   */
  static KernelArgument of(int value) {
    return new Int32(value);
  }

  /**
   * {@return a {@code long}}
   *
   * @param value the number
   */
  static KernelArgument of(long value) {
    return new Int64(value);
  }

  /**
   * {@return a {@code float}}
   *
   * @param value the number
   */
  static KernelArgument of(float value) {
    return new Float32(value);
  }

  /**
   * {@return a {@code double}}
   *
   * @param value the number
   */
  static KernelArgument of(double value) {
    return new Float64(value);
  }

  /**
   * {@return the bytes of a number; for memory, the handle of its buffer}
   *
   * @param argument the argument
   * @param buffer the handle
   * @param arena the arena of the bytes
   */
  static MemorySegment bytes(KernelArgument argument, long buffer, Arena arena) {
    return switch (argument) {
      case Memory _ -> arena.allocateFrom(JAVA_LONG, buffer);
      case Int32(int value) -> arena.allocateFrom(JAVA_INT, value);
      case Int64(long value) -> arena.allocateFrom(JAVA_LONG, value);
      case Float32(float value) -> arena.allocateFrom(JAVA_FLOAT, value);
      case Float64(double value) -> arena.allocateFrom(JAVA_DOUBLE, value);
    };
  }
}
