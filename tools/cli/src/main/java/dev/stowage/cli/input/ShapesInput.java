package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.List;

/**
 * Tensors whose sizes depend on dimensions.
 *
 * @param file the properties of the file
 * @param labels the ids and names of the records
 * @param problem the records and the ranges of the dimensions
 */
public record ShapesInput(InputFile file, List<RecordLabel> labels, SymbolicProblem problem)
    implements FileInput {}
