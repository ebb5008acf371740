package dev.stowage.onnxbudget.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The processors for which ONNX Runtime 1.29 chooses the same kernels and layouts, as far as they
 * change its memory.
 *
 * <p>The classes are ordered: a processor of a later class for x86-64 also has the instructions of
 * the classes before it.
 */
public enum CpuClass {
  /** An x86-64 processor without AVX2 and FMA. */
  BASELINE("baseline", 8),
  /** An x86-64 processor with AVX2 and FMA, with or without AVX-VNNI. */
  AVX2("avx2", 8),
  /** An x86-64 processor with AVX-512 for all types of elements. */
  AVX512("avx512", 16),
  /** A processor with AVX-512 and its instructions for products of bytes. */
  AVX512_VNNI("avx512-vnni", 16),
  /** A processor with AVX-512 and tiles of bytes. */
  AMX("amx", 16),
  /** A 64-bit ARM processor. */
  ARM64("arm64", 0);

  private final String text;
  private final int registerFloats;

  CpuClass(String text, int registerFloats) {
    this.text = text;
    this.registerFloats = registerFloats;
  }

  /** {@return the classes for x86-64, each of which includes those before it} */
  public static List<CpuClass> x86() {
    return List.of(BASELINE, AVX2, AVX512, AVX512_VNNI, AMX);
  }

  /**
   * {@return the class with a name, if there is one}
   *
   * @param text the name, such as {@code avx512-vnni}
   */
  public static Optional<CpuClass> of(String text) {
    return Arrays.stream(values()).filter(it -> it.text.equals(text)).findFirst();
  }

  /**
   * {@return true if the predictions for the class were compared with ONNX Runtime on a processor
   * of the class or on an emulated one}
   */
  public boolean isCompared() {
    return this == BASELINE || this == AVX2 || this == AVX512_VNNI;
  }

  /**
   * {@return the channels of a block of a tensor for convolutions; empty if the class has no
   * blocks}
   */
  OptionalLong blockChannels() {
    return registerFloats == 0 ? OptionalLong.empty() : OptionalLong.of(registerFloats);
  }

  /** {@return the name in options, files and reports} */
  @Override
  public String toString() {
    return text;
  }
}
