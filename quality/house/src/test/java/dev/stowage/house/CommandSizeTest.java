package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A command is options, one call and one answer. Its work lies in the package of its question. */
class CommandSizeTest {

  private static final int MAX_LINES = 150;

  @Test
  void lines_ofEachClassOfCommands_areFew() throws IOException {
    Map<String, Integer> lines = new TreeMap<>();
    for (Path file : sources()) {
      lines.put(file.getFileName().toString(), Files.readAllLines(file).size());
    }
    assertThat(lines).containsKey("PlanCommand.java");
    assertThat(lines).allSatisfy((_, count) -> assertThat(count).isLessThanOrEqualTo(MAX_LINES));
  }

  private static List<Path> sources() throws IOException {
    try (var files = Files.list(Room.source("tools/cli").resolve("dev/stowage/cli/command"))) {
      return files.toList();
    }
  }
}
