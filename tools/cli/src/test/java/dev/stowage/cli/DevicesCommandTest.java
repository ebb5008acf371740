package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The list of devices: the host on every machine, and the others or a reason. */
class DevicesCommandTest {

  @Test
  void devices_table_namesEveryKind() {
    CommandRun run = CommandRun.of("devices");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .matches("(?s)[0-9]+ devices? can be used: host with .* available\\.\n.*")
        .containsPattern("\n\nDEVICE +total +available +alignment\n");
    assertThat(run.out())
        .containsPattern("\n  host +[0-9.]+ [A-Za-z]+ +[0-9.]+ [A-Za-z]+ +4,096\n");
    assertThat(run.out()).containsPattern("\n(  OpenCL: |No OpenCL: )");
    assertThat(run.out()).containsPattern("\n(  CUDA: |No CUDA: )");
  }

  @Test
  void devices_json_hasTheNumbers() {
    CommandRun run = CommandRun.of("devices", "--format", "json");

    JsonNode line = new JsonMapper().readTree(run.out());
    JsonNode host = line.get("devices").get(0);
    assertThat(host.get("kind").asString()).isEqualTo("host");
    assertThat(host.get("total_bytes").longValue())
        .isGreaterThanOrEqualTo(host.get("available_bytes").longValue());
    assertThat(host.get("alignment_bytes").longValue()).isPositive();
    for (JsonNode missing : line.get("missing")) {
      assertThat(missing.get("reason").asString()).isNotBlank();
    }
  }

  @Test
  void devices_unknownFormat_exits2() {
    CommandRun run = CommandRun.of("devices", "--format", "csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
  }
}
