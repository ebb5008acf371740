package dev.stowage.fleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ScratchFolderTest {

  @Test
  void close_filesInFolders_deletesAllAndFollowsNoLinks() throws IOException {
    Path kept = Files.createTempFile("kept", ".txt");
    ScratchFolder folder = ScratchFolder.create("stowage-test-");
    Path inner = Files.createDirectories(folder.path().resolve("a/b"));
    Files.createFile(inner.resolve("file"));
    Files.createSymbolicLink(inner.resolve("link"), kept);

    folder.close();

    assertThat(folder.path()).doesNotExist();
    assertThat(kept).exists();
    folder.close();
    Files.delete(kept);
  }
}
