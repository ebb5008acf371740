package dev.stowage.fleet.worker;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The files with the weights of an ONNX model, beside the model. */
final class ExternalLocations {

  /*
   * A tensor with external data has an entry of protobuf with the key "location" and the path as
   * value: 0A 08 "location" 12 LENGTH PATH. The bytes are searched for this pattern. Other data
   * that looks like it only adds a path that does not exist.
   */

  private static final byte[] PATTERN = "\n\blocation\u0012".getBytes(StandardCharsets.ISO_8859_1);

  private static final int MAX_PATH_BYTES = 4_096;
  private static final int MAX_LOCATIONS = 10_000;

  private ExternalLocations() {}

  /** {@return the paths relative to the folder of a model, sorted} */
  static NavigableSet<String> of(Path model) throws IOException {
    NavigableSet<String> locations = new TreeSet<>();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(model), 1 << 16)) {
      int matched = 0;
      for (int value = in.read(); value >= 0; value = in.read()) {
        if (value == PATTERN[matched]) {
          matched++;
        } else {
          matched = value == PATTERN[0] ? 1 : 0;
        }
        if (matched == PATTERN.length) {
          matched = 0;
          in.mark(MAX_PATH_BYTES);
          String path = path(in);
          in.reset();
          if (isPath(path) && locations.size() < MAX_LOCATIONS) {
            locations.add(path);
          }
        }
      }
    }
    return locations;
  }

  private static String path(InputStream in) throws IOException {
    int length = 0;
    int shift = 0;
    int value = in.read();
    while (value >= 0x80 && shift < 14) {
      length |= (value & 0x7F) << shift;
      shift += 7;
      value = in.read();
    }
    length |= Math.max(0, value) << shift;
    boolean isPossible = value >= 0 && length < MAX_PATH_BYTES - 3;
    return isPossible ? new String(in.readNBytes(length), StandardCharsets.UTF_8) : "";
  }

  private static boolean isPath(String path) {
    return !path.isEmpty() && path.indexOf('\0') < 0;
  }
}
