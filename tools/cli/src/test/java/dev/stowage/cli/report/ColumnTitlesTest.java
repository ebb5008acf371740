package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColumnTitlesTest {

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
        "a_model_of_long_name.csv b.csv;a_model_of_long… b",
        "a_model_of_long_name_1.csv a_model_of_long_name_2.csv;"
            + "a_model_of_long_name_1 a_model_of_long_name_2",
        "models_of_2023/a.csv models_of_2024/a.csv;models_of_2023/… models_of_2024/…"
      })
  void of_files_isTheShortestPartThatTellsThemApart(String paths, String titles) {
    List<String> files = List.of(paths.split(" "));
    ColumnTitles columns = new ColumnTitles(files);

    assertThat(files.stream().map(columns::of).collect(Collectors.joining(" "))).isEqualTo(titles);
  }
}
