package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InputTitlesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a.csv b.csv;a b",
        "x/a.csv y/a.csv;x/a.csv y/a.csv",
        "a.csv a.json;a.csv a.json",
        "a.csv d/a.csv;a.csv d/a.csv",
        "x/a.csv y/a.csv y/a.json;x/a.csv y/a.csv a.json",
        "p/x/a.csv q/x/a.csv b.csv;p/x/a.csv q/x/a.csv b",
        "/m/a.csv m/a.csv;/m/a.csv m/a.csv",
        "a.csv ./a.csv;a.csv ./a.csv",
        "a.csv a.csv;a a",
        "- m.csv;- m",
        ".csv b.csv;.csv b",
        "d/module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt b.csv;0001.jit_f b"
      })
  void of_files_isTheShortestPartThatTellsThemApart(String paths, String titles) {
    List<String> files = List.of(paths.split(" "));
    InputTitles names = new InputTitles(files);

    assertThat(files.stream().map(names::of).collect(Collectors.joining(" "))).isEqualTo(titles);
  }
}
