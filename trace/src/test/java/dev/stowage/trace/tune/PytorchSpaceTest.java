package dev.stowage.trace.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.replay.PytorchSettings;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The settings of PyTorch's allocator that a search tries. */
class PytorchSpaceTest {

  private static TunedTrace trace(long bytes) {
    TunedTrace trace = new TunedTrace();
    trace.accept(new AllocationEvent.Allocate("a", bytes, 0, 0));
    return trace;
  }

  @Test
  void settings_ofEachCandidate_areAcceptedByPytorchAndHaveEffect() {
    for (OptionalLong limit : List.of(OptionalLong.empty(), OptionalLong.of(1L << 34))) {
      List<Candidate> all = SettingsSpaces.pytorch(limit, false).candidates(trace(1));

      assertThat(all).hasSize(limit.isPresent() ? 840 : 280);
      assertThat(all).extracting(Candidate::settings).doesNotHaveDuplicates();
      for (Candidate candidate : all) {
        PytorchSettings parsed = PytorchSettings.parse(candidate.settings());
        assertThat(parsed.toString()).isEqualTo(candidate.settings());
        assertThat(parsed.withoutEffect(limit)).isEmpty();
      }
    }
  }

  @Test
  void paste_ofSettings_isAnAssignment() {
    List<Candidate> all = SettingsSpaces.pytorch(OptionalLong.empty(), false).candidates(trace(1));
    Candidate split =
        all.stream().filter(c -> c.settings().equals("max_split_size_mb:128")).findFirst().get();

    assertThat(split.paste()).isEqualTo("PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128");
    assertThat(split.changes()).isEqualTo(1);
    assertThat(all.getFirst().paste())
        .isEqualTo("unset PYTORCH_CUDA_ALLOC_CONF PYTORCH_ALLOC_CONF");
    assertThat(all.getFirst().changes()).isZero();
  }

  @Test
  void effect_ofASplitLimitAboveAllBlocks_isThatOfNone() {
    TunedTrace trace = trace(300L << 20);
    SettingsSpace space = SettingsSpaces.pytorch(OptionalLong.empty(), false);
    List<Candidate> all = space.candidates(trace);
    Object defaults = space.effect(all.getFirst(), trace);

    assertThat(all)
        .filteredOn(candidate -> space.effect(candidate, trace).equals(defaults))
        .extracting(Candidate::settings)
        .contains("max_split_size_mb:512", "large_segment_size_mb:64")
        .doesNotContain("max_split_size_mb:256", "expandable_segments:True");
  }
}
