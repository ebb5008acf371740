package dev.stowage.memory.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypeTest {

  /** TensorProto.DataType of ONNX, but for UNDEFINED, which is no type. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FLOAT",
        "UINT8",
        "INT8",
        "UINT16",
        "INT16",
        "INT32",
        "INT64",
        "STRING",
        "BOOL",
        "FLOAT16",
        "DOUBLE",
        "UINT32",
        "UINT64",
        "COMPLEX64",
        "COMPLEX128",
        "BFLOAT16",
        "FLOAT8E4M3FN",
        "FLOAT8E4M3FNUZ",
        "FLOAT8E5M2",
        "FLOAT8E5M2FNUZ",
        "UINT4",
        "INT4",
        "FLOAT4E2M1",
        "FLOAT8E8M0",
        "UINT2",
        "INT2"
      })
  void named_ofOnnx_isThere(String name) {
    assertThat(DataType.named(name)).isPresent();
  }

  /** TensorType of TensorFlow Lite's schema. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FLOAT32",
        "FLOAT16",
        "INT32",
        "UINT8",
        "INT64",
        "STRING",
        "BOOL",
        "INT16",
        "COMPLEX64",
        "INT8",
        "FLOAT64",
        "COMPLEX128",
        "UINT64",
        "RESOURCE",
        "VARIANT",
        "UINT32",
        "UINT16",
        "INT4",
        "BFLOAT16",
        "INT2",
        "UINT4",
        "FLOAT8_E4M3FN",
        "FLOAT8_E5M2"
      })
  void named_ofTensorFlowLite_isThere(String name) {
    assertThat(DataType.named(name)).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void named_ownName_isItself(DataType type) {
    assertThat(DataType.named(type.name())).contains(type);
    assertThat(DataType.named(type.name().toLowerCase(Locale.ROOT))).contains(type);
  }

  @Test
  void named_otherNames_areEmpty() {
    assertThat(DataType.named("float")).contains(DataType.FLOAT32);
    assertThat(DataType.named("double")).contains(DataType.FLOAT64);
    assertThat(DataType.named("UNDEFINED")).isEmpty();
    assertThat(DataType.named("")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void kinds_ofAnyType_agreeWithItsName(DataType type) {
    String name = type.name();
    assertThat(type.isInteger()).isEqualTo(name.contains("INT"));
    if (type.isInteger()) {
      assertThat(type.isSigned()).isEqualTo(name.startsWith("INT"));
      assertThat(name).endsWith("INT" + type.bits());
    }
  }

  @Test
  void bits_noFixedSize_isAnError() {
    assertThatIllegalStateException()
        .isThrownBy(DataType.STRING::bits)
        .withMessage("elements of type STRING have no fixed size; a tensor cannot contain them");
    assertThat(DataType.FLOAT4E2M1.bits()).isEqualTo(4);
    assertThat(DataType.COMPLEX128.bits()).isEqualTo(128);
  }

  @Test
  void bytes_ofElements_areRoundedUpAndChecked() {
    assertThat(DataType.INT4.bytes(5)).isEqualTo(3);
    assertThat(DataType.UINT2.bytes(5)).isEqualTo(2);
    assertThat(DataType.INT2.bytes(Long.MAX_VALUE)).isEqualTo(1L << 61);
    assertThat(DataType.UINT8.bytes(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(DataType.FLOAT32.bytes(Long.MAX_VALUE / 4)).isEqualTo(Long.MAX_VALUE - 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataType.FLOAT32.bytes(Long.MAX_VALUE / 4 + 1))
        .withMessage("2305843009213693952 elements of type FLOAT32 are more than 2^63-1 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataType.INT4.bytes(-1))
        .withMessage("elementCount must not be negative: elementCount=-1");
  }
}
