package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.memory.device.DeviceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenClErrorTest {

  @ParameterizedTest
  @CsvSource({
    "-4,CL_MEM_OBJECT_ALLOCATION_FAILURE,true",
    "-5,CL_OUT_OF_RESOURCES,true",
    "-6,CL_OUT_OF_HOST_MEMORY,true",
    "-61,CL_INVALID_BUFFER_SIZE,true",
    "-13,CL_MISALIGNED_SUB_BUFFER_OFFSET,false",
    "-38,CL_INVALID_MEM_OBJECT,false",
    "-1001,CL_PLATFORM_NOT_FOUND_KHR,false",
    "-9999,an OpenCL error,false"
  })
  void exception_anyCode_hasItsName(int code, String name, boolean outOfMemory) {
    DeviceException exception = OpenClError.exception("clSomething", code);
    assertThat(exception).hasMessageEndingWith("clSomething failed: %s (%s)", name, code);
    assertThat(exception.code()).isEqualTo(code);
    assertThat(exception.codeName()).isEqualTo(name);
    assertThat(OpenClError.isOutOfMemory(code)).isEqualTo(outOfMemory);
  }

  @Test
  void check_callThatFails_throwsItsCode() {
    Linkage.check(() -> "clSomething", () -> 0);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> Linkage.check(() -> "clSomething of 5 bytes", () -> -30))
        .withMessage("clSomething of 5 bytes failed: CL_INVALID_VALUE (-30)");
  }

  @Test
  void check_callThatTheJdkRejects_throwsThat() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            Linkage.check(
                () -> "clSomething",
                () -> {
                  throw new IllegalArgumentException("heap segment");
                }))
        .withMessage("heap segment");
  }
}
