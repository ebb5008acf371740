package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Remedies that users copy. */
class ShellLineTest {

  @ParameterizedTest
  @CsvSource({
    "stowage who 7 --trim, ./stowage, ./stowage who 7 --trim",
    "stowage who 7 --gc, '/my tools/stowage', '''/my tools/stowage'' who 7 --gc'",
    "MALLOC_ARENA_MAX=2, ./stowage, MALLOC_ARENA_MAX=2",
    "stowages, ./stowage, stowages",
  })
  void asStarted_settings_startTheProgramAsItWasStarted(
      String setting, String program, String line) {
    assertThat(ShellLine.asStarted(setting, program)).isEqualTo(line);
  }
}
