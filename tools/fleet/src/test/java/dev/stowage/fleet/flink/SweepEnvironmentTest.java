package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.junit.jupiter.api.Test;

final class SweepEnvironmentTest {

  @Test
  void of_thisProcess_bindsToLocalhostAndKeepsTemporaryFilesInItsFolder() {
    ReadableConfig settings =
        SweepEnvironment.of(new SweepPlace.Default(OptionalInt.of(2)), Path.of("/tmp/flink"))
            .getConfiguration();
    assertThat(settings.get(JobManagerOptions.BIND_HOST)).isEqualTo("localhost");
    assertThat(settings.get(WebOptions.UPLOAD_DIR)).isEqualTo("/tmp/flink");
    assertThat(settings.get(CoreOptions.TMP_DIRS)).isEqualTo("/tmp/flink");
  }

  @Test
  void of_defaultLocaleWithDigitsOfItsOwn_hasSizesThatFlinkReads() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      ReadableConfig settings =
          SweepEnvironment.of(new SweepPlace.Default(OptionalInt.of(2)), Path.of("/tmp/flink"))
              .getConfiguration();
      assertThat(settings.get(TaskManagerOptions.NETWORK_MEMORY_MIN).getMebiBytes()).isEqualTo(8);
      assertThat(settings.get(TaskManagerOptions.MANAGED_MEMORY_SIZE).getMebiBytes()).isEqualTo(1);
    } finally {
      Locale.setDefault(before);
    }
  }
}
