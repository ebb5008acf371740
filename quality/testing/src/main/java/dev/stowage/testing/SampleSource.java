package dev.stowage.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Rows of a parameterized test, each for one of the {@linkplain SampleModels samples}. The first
 * column is the name of a file, and the first parameter of the test is its path. The rows of absent
 * files are left out, so that a machine without the larger set does not report a skipped test for
 * each row.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SampleSource.Rows.class)
public @interface SampleSource {

  /** {@return the folder of the files, such as {@code models/onnx}} */
  String folder();

  /** {@return the end of the file names, which the rows leave out} */
  String extension() default "";

  /** {@return the rows, with commas between the columns} */
  String[] value();

  /** Reads the annotation. */
  final class Rows extends AnnotationBasedArgumentsProvider<SampleSource> {

    /** Creates a reader, as JUnit does. */
    public Rows() {}

    @Override
    protected Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context, SampleSource source) {
      return Arrays.stream(source.value()).flatMap(row -> arguments(source, row).stream());
    }

    private static Optional<Arguments> arguments(SampleSource source, String row) {
      Object[] columns = Arrays.stream(row.split(",", -1)).map(String::strip).toArray();
      String name = columns[0] + source.extension();
      Optional<Path> file = SampleModels.find(source.folder() + "/" + name);
      return file.map(path -> {
        columns[0] = Named.of(name, path);
        return Arguments.of(columns);
      });
    }
  }
}
