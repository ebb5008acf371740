package dev.stowage.onnx.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkspaceCalibrationTest {

  private static final OperatorWorkspace SMALL =
      new OperatorWorkspace("Conv", "small", 100, List.of(10L, 20L));

  @Test
  void bufferBytes_sameTypes_areThoseMeasured() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).bufferBytes("Conv", "small", 100))
        .containsExactly(10L, 20L);
  }

  @Test
  void bufferBytes_otherTypes_scaleWithTheTensors() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).bufferBytes("Conv", "large", 250))
        .containsExactly(25L, 50L);
  }

  @Test
  void bufferBytes_otherOperator_areNone() {
    assertThat(WorkspaceCalibration.of(List.of(SMALL)).bufferBytes("MatMul", "small", 100))
        .isEmpty();
  }

  @Test
  void and_sameOperatorAndTypes_keepsTheLarger() {
    OperatorWorkspace larger = new OperatorWorkspace("Conv", "small", 100, List.of(31L));
    WorkspaceCalibration both =
        WorkspaceCalibration.of(List.of(larger)).and(WorkspaceCalibration.of(List.of(SMALL)));
    assertThat(both.workspaces()).containsExactly(larger);
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
