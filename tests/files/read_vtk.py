"""Time series as VTK reads them, whose readers are ParaView's. Usage: read_vtk.py OUT.npz SERIES.xdmf...

Writes an array for each reader, series, step and field, named reader|series|time|field."""
import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader

readers = {"vtkXdmfReader": vtkXdmfReader}
try:
    from vtkmodules.vtkIOXdmf3 import vtkXdmf3Reader
    readers["vtkXdmf3Reader"] = vtkXdmf3Reader
except ImportError:
    pass


def steps(reader):
    """Times, each with its grid."""
    reader.UpdateInformation()
    for time in reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()):
        reader.UpdateTimeStep(time)
        grid = reader.GetOutputDataObject(0)
        while isinstance(grid, vtkMultiBlockDataSet):
            grid = grid.GetBlock(0)
        yield time, grid


def main(out, series):
    found = {}
    for name, make in readers.items():
        for path in series:
            reader = make()
            reader.SetFileName(path)
            for time, grid in steps(reader):
                # origin and spacing, in the order of the array's axes
                found[f"{name}|{path}|{time}"] = [grid.GetOrigin()[::-1], grid.GetSpacing()[::-1]]
                fields = grid.GetPointData()
                for i in range(fields.GetNumberOfArrays()):
                    # a copy: at the next step the reader frees it; the x axis is the fastest and the first
                    values = vtk_to_numpy(fields.GetArray(i)).copy()
                    found[f"{name}|{path}|{time}|{fields.GetArrayName(i)}"] = values.reshape(grid.GetDimensions()[::-1])
    np.savez(out, **found)


main(sys.argv[1], sys.argv[2:])
