package dev.stowage.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.opencl.OpenClDevice;
import dev.stowage.opencl.OpenClDevices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TrainingExampleTest {

  private static OpenClDevice openDevice() {
    OpenClDevices devices = OpenClDevices.find();
    assumeTrue(
        devices.absence().isEmpty(),
        () ->
            "needs OpenCL (Debian's ocl-icd-libopencl1 and pocl-opencl-icd): "
                + devices.absence().orElseThrow());
    return devices.open(devices.list().getFirst());
  }

  private static List<Float> losses(Training training) {
    return training.steps().stream().map(Training.Step::loss).toList();
  }

  @Test
  void onHost_everyStep_lessensTheLossAndCopiesNothing() {
    Training host = TrainingExample.onHost();
    assertThat(host.steps()).hasSize(TrainingExample.STEP_COUNT);
    assertThat(losses(host)).isSortedAccordingTo((a, b) -> Float.compare(b, a));
    assertThat(losses(host).getLast()).isLessThan(losses(host).getFirst());
    assertThat(host.copies()).isZero();
    assertThat(host.copiesWithoutLaziness()).isZero();
    assertThat(TrainingExample.onHost()).isEqualTo(host);
  }

  @Test
  void inTurn_hostAndOpenCl_hasTheSameLossesAndFewerCopies() {
    try (OpenClDevice device = openDevice()) {
      Training inTurn = TrainingExample.inTurn(device);
      assertThat(inTurn.steps())
          .extracting(Training.Step::place)
          .startsWith("host", "OpenCL", "host", "OpenCL");
      assertThat(losses(inTurn)).isEqualTo(losses(TrainingExample.onHost()));
      assertThat(inTurn.copies()).isPositive().isLessThan(inTurn.copiesWithoutLaziness());
    }
  }

  private static List<String> lines(Consumer<PrintStream> printing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    printing.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** Losses are the same on every machine, so that the page has the printed ones. */
  @Test
  void print_withOpenCl_isAsDocumented() throws IOException {
    try (OpenClDevice device = openDevice()) {
      List<String> printed = lines(out -> TrainingExample.print(OpenClDevices.find(), out));
      assertThat(printed.getFirst()).isEqualTo("OpenCL device: " + device.name());
      Path readMe = Path.of(System.getProperty("stowage.root"), "examples", "README.md");
      assertThat(Files.readAllLines(readMe)).containsSequence(printed.subList(1, printed.size()));
    }
  }

  @Test
  void printHostAlone_withoutOpenCl_printsTheReasonAndEveryLoss() {
    List<String> printed = lines(out -> TrainingExample.printHostAlone("there is no OpenCL", out));
    assertThat(printed)
        .startsWith("there is no OpenCL", "so all is computed on the host", "step  loss");
    assertThat(printed.stream().skip(3).map(line -> Float.valueOf(line.substring(6))))
        .isEqualTo(losses(TrainingExample.onHost()));
  }
}
