package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import java.util.List;

/** The content of a file: records for one shape, or for all shapes of ranges. */
public sealed interface FileInput permits PlanInput, ShapesInput {

  /** {@return the properties of the file} */
  InputFile file();

  /** {@return the ids and names of the records, in their order} */
  List<RecordLabel> labels();
}
