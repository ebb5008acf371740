package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkspaceCalibrationTest {

  private static final OperatorWorkspace SMALL =
      new OperatorWorkspace("Conv", "small", 100, List.of(10L, 20L));

  @Test
  void measured_sameTypes_areThoseMeasured() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).measured("Conv", "small"))
        .hasValue(List.of(10L, 20L));
  }

  @Test
  void measured_otherTypes_areUnknown() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).measured("Conv", "large")).isEmpty();
  }

  @Test
  void scaled_otherTypes_scaleWithTheTensors() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).scaled("Conv", 250))
        .containsExactly(25L, 50L);
  }

  @Test
  void scaled_otherOperator_areNone() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).scaled("MatMul", 100)).isEmpty();
  }

  @Test
  void scaled_otherAttributes_haveTheShareOfTheOperator() {
    OperatorWorkspace other =
        new OperatorWorkspace("Conv(group=1) threads=1", "small", 100, List.of(30L));
    assertThat(WorkspaceCalibration.of(List.of(other)).scaled("Conv(group=2) threads=4", 200))
        .containsExactly(60L);
  }

  @Test
  void scaled_muchSmallerMeasurement_countsOnlyWithoutLargerOnes() {
    OperatorWorkspace tiny = new OperatorWorkspace("Conv", "tiny", 10, List.of(30L));
    assertThat(WorkspaceCalibration.of(List.of(SMALL, tiny)).scaled("Conv", 200))
        .containsExactly(20L, 40L);
    assertThat(WorkspaceCalibration.of(List.of(tiny)).scaled("Conv", 200)).containsExactly(600L);
  }

  @Test
  void withOptimizationLevel_outside_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EngineSettings.defaults().withOptimizationLevel(4))
        .withMessage("level must be from 0 to 3: level=4");
  }

  @Test
  void withThreads_zero_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EngineSettings.defaults().withThreads(0))
        .withMessage("threads must be positive: threads=0");
  }
}
