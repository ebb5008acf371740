package dev.stowage.tflite.micro;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.stowage.tflite.model.OperatorKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The sizes of the structures of the reference kernels of TensorFlow Lite Micro, for pointers of 4
 * bytes.
 *
 * <p>Source: the kernels of tflite-micro, 2026-08, built for 32 bits with the alignments of Arm.
 *
 * @param optionBytes the parsed options of an operator
 * @param optionAlignment the alignment of the options
 * @param dataBytes the data that the kernel allocates when it is created, or later for some types
 */
record KernelSizes(long optionBytes, long optionAlignment, long dataBytes) {

  /** The sizes of unknown kernels: more than most of the known kernels have. */
  private static final KernelSizes UNKNOWN = new KernelSizes(0, 4, 96);

  private static final String TABLE = "kernels.csv";

  /** {@return the sizes of each known operator} */
  static Map<String, KernelSizes> read() {
    try (InputStream table = KernelSizes.class.getResourceAsStream(TABLE)) {
      Map<String, KernelSizes> sizes = new HashMap<>();
      String text = new String(Objects.requireNonNull(table).readAllBytes(), US_ASCII);
      for (String row : text.lines().skip(1).toList()) {
        String[] fields = row.split(",", -1);
        sizes.put(
            fields[0],
            new KernelSizes(
                Long.parseLong(fields[1]), Long.parseLong(fields[2]), Long.parseLong(fields[3])));
      }
      return Map.copyOf(sizes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the sizes of an operator, or an estimate for one that is not known} */
  static KernelSizes of(OperatorKind kind, Map<String, KernelSizes> known) {
    return known.getOrDefault(kind.name(), UNKNOWN);
  }
}
