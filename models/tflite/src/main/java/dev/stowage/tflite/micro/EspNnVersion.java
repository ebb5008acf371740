package dev.stowage.tflite.micro;

/** The releases of ESP-NN whose scratch buffers are known, in their order. */
enum EspNnVersion {
  V1_0_BETA("1.0-beta"),
  V1_0_0_RC1("1.0.0-rc1"),
  V1_0_0("1.0.0"),
  V1_0_1("1.0.1"),
  V1_0_2("1.0.2"),
  V1_1_0("1.1.0"),
  V1_1_1("1.1.1"),
  V1_1_2("1.1.2"),
  V1_2_0("1.2.0"),
  V1_2_1("1.2.1"),
  V1_2_2("1.2.2"),
  V1_2_3("1.2.3");

  /** The name of the release. */
  final String text;

  EspNnVersion(String text) {
    this.text = text;
  }

  boolean isFrom(EspNnVersion first) {
    return compareTo(first) >= 0;
  }
}
