package dev.stowage.fleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentHashesTest {

  @TempDir private Path folder;

  /** A cached result is of all files that the command has read. */
  @ParameterizedTest
  @ValueSource(strings = {"f-live-range.txt", "f-live-range.txt.gz", "f.txt", "f.txt.gz"})
  void ofModel_aDumpOfXla_hasTheFilesBesideIt(String other) throws IOException {
    Path file = Files.writeString(folder.resolve("f-buffer-assignment.txt"), "BufferAssignment:");
    ContentHashes hashes = new ContentHashes("");
    String alone = hashes.ofModel(file);
    Files.writeString(folder.resolve(other), "a");
    assertThat(hashes.ofModel(file)).isNotEqualTo(alone);
    Files.delete(folder.resolve(other));
    Files.writeString(folder.resolve("g-live-range.txt"), "a");
    assertThat(hashes.ofModel(file)).isEqualTo(alone);
  }
}
