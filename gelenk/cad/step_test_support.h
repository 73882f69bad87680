#pragma once

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_PrinterOStream.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <string>

#include "gelenk/math/mass_properties.h"

// STEP files made on the spot, lengths in mm.
namespace gelenk::cad {

inline gp_Pnt point(double x, double y, double z) { return {x, y, z}; }
inline TopoDS_Shape box(const gp_Pnt& low, const gp_Pnt& high) { return BRepPrimAPI_MakeBox(low, high).Shape(); }
inline TopoDS_Shape cylinder(const gp_Pnt& from, const gp_Dir& along, double radius, double length) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(from, along), radius, length).Shape();
}
inline TopoDS_Shape cut(const TopoDS_Shape& a, const TopoDS_Shape& b) { return BRepAlgoAPI_Cut(a, b).Shape(); }
inline TopoDS_Shape fuse(const TopoDS_Shape& a, const TopoDS_Shape& b) { return BRepAlgoAPI_Fuse(a, b).Shape(); }

inline TopLoc_Location at(double x, double y, double z, double turn_about_z = 0.0) {
  gp_Trsf turn, shift;
  turn.SetRotation(gp_Ax1(point(0, 0, 0), gp_Dir(0, 0, 1)), turn_about_z);
  shift.SetTranslation(gp_Vec(x, y, z));
  return shift * turn;
}

// Closed forms with density 1, lengths in m.
inline MassProperties solid_box(const Vector3& low, const Vector3& high) {
  const Vector3 size = high - low, square = size.cwiseProduct(size);
  MassProperties result{size.prod(), 0.5 * (low + high), Matrix3::Zero()};
  for (int i = 0; i < 3; ++i) result.inertia(i, i) = result.mass * (square.sum() - square[i]) / 12.0;
  return result;
}
inline MassProperties solid_cylinder(const Vector3& from, const Vector3& axis, double radius, double length) {
  const double mass = 3.14159265358979323846 * radius * radius * length;
  const double along = 0.5 * mass * radius * radius, across = mass * (3 * radius * radius + length * length) / 12.0;
  const Matrix3 both = axis * axis.transpose();
  return {mass, from + 0.5 * length * axis, along * both + across * (Matrix3::Identity() - both)};
}

class StepMaker {
 public:
  StepMaker() {
    Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_PrinterOStream));
    XCAFApp_Application::GetApplication()->NewDocument("BinXCAF", document_);
    XCAFDoc_DocumentTool::SetLengthUnit(document_, 1e-3);
    shapes_ = XCAFDoc_DocumentTool::ShapeTool(document_->Main());
  }
  ~StepMaker() { XCAFApp_Application::GetApplication()->Close(document_); }
  StepMaker(const StepMaker&) = delete;
  StepMaker& operator=(const StepMaker&) = delete;

  // density in g/cm³, 0: none
  TDF_Label part(const std::string& name, const TopoDS_Shape& shape, double density = 0.0) {
    const TDF_Label label = shapes_->AddShape(shape, Standard_False);
    TDataStd_Name::Set(label, name.c_str());
    if (density > 0.0) {
      const auto text = [](const char* words) { return new TCollection_HAsciiString(words); };
      // OpenCASCADE takes materials of one name for one material, whatever their densities.
      const std::string alloy = "alloy of " + name;
      XCAFDoc_DocumentTool::MaterialTool(document_->Main())
          ->SetMaterial(label, text(alloy.c_str()), text(""), density, text("density measure"),
                        text("POSITIVE_RATIO_MEASURE"));
    }
    return label;
  }
  void paint(const TDF_Label& label, double red, double green, double blue) {
    XCAFDoc_DocumentTool::ColorTool(document_->Main())
        ->SetColor(label, Quantity_Color(red, green, blue, Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
  }
  TDF_Label assembly(const std::string& name) {
    const TDF_Label label = shapes_->NewShape();
    TDataStd_Name::Set(label, name.c_str());
    return label;
  }
  void put(const TDF_Label& assembly, const TDF_Label& what, const TopLoc_Location& where, const std::string& name) {
    TDataStd_Name::Set(shapes_->AddComponent(assembly, what, where), name.c_str());
  }
  // With a prefix every part goes into a file of its own, beside the first, which refers to it.
  void write(const std::string& path, const char* schema = "AP242DIS", const char* unit = "MM",
             const char* prefix = nullptr) {
    shapes_->UpdateAssemblies();
    STEPCAFControl_Writer writer;  // the settings are known from here on only
    Interface_Static::SetCVal("write.step.schema", schema);
    Interface_Static::SetCVal("write.step.unit", unit);
    writer.ChangeWriter().Model(Standard_True);
    writer.Transfer(document_, STEPControl_AsIs, prefix);
    writer.Write(path.c_str());
    Interface_Static::SetCVal("write.step.unit", "MM");
  }

 private:
  Handle(TDocStd_Document) document_;
  Handle(XCAFDoc_ShapeTool) shapes_;
};

}  // namespace gelenk::cad
