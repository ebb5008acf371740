package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.EngineConstants.Origin;
import dev.stowage.onnxbudget.memory.EngineVersion;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CalibrationTest {

  private static Calibration of(String machine, String engineVersion) {
    EngineConstants shipped = EngineConstants.shipped();
    return new Calibration(
        new EngineConstants(
            new Origin(machine, engineVersion),
            shipped.process(),
            shipped.session(),
            shipped.allowance()));
  }

  @Test
  void otherMachine_ofThisMachineAndEngine_isEmpty() {
    Calibration constants = of(Calibration.thisMachine(), "1.29.0");
    assertThat(constants.otherMachine(Optional.of("1.29.1"))).isEmpty();
    assertThat(constants.otherMachine(Optional.empty())).isEmpty();
  }

  @Test
  void otherMachine_ofAnotherEngine_namesBoth() {
    assertThat(of(Calibration.thisMachine(), "1.29.0").otherMachine(Optional.of("1.20.0")))
        .hasValue(
            "the constants were measured with ONNX Runtime 1.29.0, this one is 1.20.0; --measure compares the budget with this one");
  }

  @Test
  void otherMachine_ofAnotherMachineAndEngine_namesAll() {
    assertThat(of("a machine", "1.23.2").otherMachine(Optional.of("1.29.0")))
        .hasValue(
            "the constants are those of another machine (a machine, this one is "
                + Calibration.thisMachine()
                + ") and were measured with ONNX Runtime 1.23.2, this one is 1.29.0; --measure compares the budget with this one");
  }

  @Test
  void identity_ofOtherVersions_differs() {
    for (EngineVersion version : EngineVersion.values()) {
      Calibration shipped = new Calibration(EngineConstants.shipped(version));
      assertThat(shipped.identity()).startsWith("ONNX Runtime " + version.compared() + " on ");
    }
    assertThat(Calibration.ofEngine()).isEqualTo(Calibration.shipped());
  }
}
