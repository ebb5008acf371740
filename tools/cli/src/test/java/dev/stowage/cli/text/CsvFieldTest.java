package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFieldTest {

  @ParameterizedTest
  @ValueSource(strings = {"=1+1.csv", "+1.csv", "@SUM(A1).csv", "-1+1.csv", "\t=1", "=a\nb"})
  void ofSpreadsheet_formula_hasAnApostrophe(String name) {
    assertThat(CsvField.ofSpreadsheet(name)).isEqualTo(CsvField.of("'" + name));
    assertThat(CsvField.of(name)).doesNotContain("'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "a=1.csv", "1-2", "--limit 1MiB", "/x/=1.csv", "'a"})
  void ofSpreadsheet_otherText_isAsItIs(String name) {
    assertThat(CsvField.ofSpreadsheet(name)).isEqualTo(name);
  }
}
