package dev.stowage.tflite;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import java.lang.classfile.ClassModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that classes of this module must not contain, read from the compiled classes. */
class WallsTest {

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(TfliteReader.class, "dev/stowage/tflite");
    assertThat(classes).hasSizeGreaterThan(10);
    assertThat(classes.stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }
}
