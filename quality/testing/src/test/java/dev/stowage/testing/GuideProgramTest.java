package dev.stowage.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class GuideProgramTest {

  @Test
  void of_headingThatTheGuideLacks_isRejected() {
    assertThrows(
        IllegalArgumentException.class, () -> GuideProgram.of("docs/plan.md", "## No section"));
  }
}
