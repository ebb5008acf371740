package dev.stowage.cli;

import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Dumps of XLA in tests. */
public final class XlaDump {

  public static final String BUFFERS =
      """
      BufferAssignment:
      allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
       value: <1 x @0> (size=64,offset=0): f32[16]{0}
      allocation 1: size 4, page 0, thread-local:
       value: <9 add.1 @0> (size=4,offset=0): f32[]
      allocation 2: size 1280, page 0, preallocated-temp:
       value: <2 init @0> (size=1000,offset=0): f32[250]{0}
       value: <3 loop{0} (phi) @0> (size=1000,offset=0): f32[250]{0}
       value: <4 late @0> (size=1000,offset=0): f32[250]{0}
       value: <5 other{1} @0> (size=256,offset=1024): f32[64]{0}

      Total bytes used: 1348 (1.3KiB)
      """;

  public static final String RANGES =
      """
      HloLiveRange (max 9):
        InstructionSequence:
          0:x
          1:init
        BufferLiveRange:
          x{}:0-9
          init{}:1-3
          loop{0}:3-6
          late{}:7-9
          other{1}:2-8
        Live ranges at 3 (peak):
          init{}: 1000 bytes (cumulative: 1000 bytes)
      """;

  private static final String BUFFERS_END = "-buffer-assignment.txt";
  private static final String RANGES_END = "-live-range.txt";

  private XlaDump() {}

  /**
   * Writes a dump and {@return the file with the buffers}
   *
   * @param prefix the start of the names of the files
   */
  public static Path write(Path prefix, String buffers, String ranges) throws IOException {
    // Damaged texts can have parts of characters, which getBytes replaces.
    Files.write(Path.of(prefix + RANGES_END), ranges.getBytes(StandardCharsets.UTF_8));
    return Files.write(Path.of(prefix + BUFFERS_END), buffers.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Unpacks a dump of the samples and {@return the file with the buffers}
   *
   * @param prefix the start of the names of the files
   */
  static Path sample(String name, Path prefix) throws IOException {
    for (String end : new String[] {RANGES_END, BUFFERS_END}) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(packed(name + end)))) {
        Files.copy(in, Path.of(prefix + end));
      }
    }
    return Path.of(prefix + BUFFERS_END);
  }

  /** Copies a dump of the samples as it is and {@return the file with the buffers} */
  static Path packedSample(String name, Path folder) throws IOException {
    for (String end : new String[] {RANGES_END, BUFFERS_END}) {
      Files.copy(packed(name + end), folder.resolve(name + end + ".gz"));
    }
    return folder.resolve(name + BUFFERS_END + ".gz");
  }

  private static Path packed(String file) {
    return SampleModels.folder("gpu/xla").resolve(file + ".gz");
  }
}
