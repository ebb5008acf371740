package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SymbolicLinksTest {

  @TempDir private Path folder;

  private Path link(String name, String target) throws IOException {
    return Files.createSymbolicLink(folder.resolve(name), Path.of(target));
  }

  @Test
  void isLoop_circles_areFoundAlsoInFolders() throws IOException {
    Path self = link("self", "self");
    Path there = link("there", folder.resolve("back").toString());
    Path back = link("back", "./sub/../there");
    Files.createDirectory(folder.resolve("sub"));

    assertThat(self).matches(SymbolicLinks::isLoop);
    assertThat(there).matches(SymbolicLinks::isLoop);
    assertThat(back).matches(SymbolicLinks::isLoop);
    assertThat(self.resolve("p.csv")).matches(SymbolicLinks::isLoop);
  }

  @Test
  void isLoop_linksThatEnd_areNone() throws IOException {
    Files.createDirectory(folder.resolve("sub"));
    Path file = Files.createFile(folder.resolve("sub/file"));
    Path up = link("sub/up", "..");
    Path dangling = link("dangling", "none/x");

    assertThat(file).matches(path -> !SymbolicLinks.isLoop(path));
    assertThat(up.resolve("sub/up/sub/file")).matches(path -> !SymbolicLinks.isLoop(path));
    assertThat(dangling).matches(path -> !SymbolicLinks.isLoop(path));
    assertThat(Path.of("none")).matches(path -> !SymbolicLinks.isLoop(path));
  }

  @Test
  void isLoop_chainsOfLinks_areNoneUpToFortyLinks() throws IOException {
    Path last = Files.createFile(folder.resolve("0"));
    for (int i = 1; i <= 40; i++) {
      last = link(Integer.toString(i), Integer.toString(i - 1));
    }
    assertThat(last).matches(path -> !SymbolicLinks.isLoop(path));
    assertThat(link("41", "40")).matches(SymbolicLinks::isLoop);
  }
}
